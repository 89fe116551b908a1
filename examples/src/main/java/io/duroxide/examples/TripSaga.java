package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** All or nothing: what was booked is given back when a later step fails. */
public final class TripSaga {
  static final Activity<String, String> BOOK_FLIGHT =
      Activity.of("BookFlight", String.class, String.class);
  static final Activity<String, String> CANCEL_FLIGHT =
      Activity.of("CancelFlight", String.class, String.class);
  static final Activity<String, String> BOOK_HOTEL =
      Activity.of("BookHotel", String.class, String.class);
  static final Activity<String, String> CANCEL_HOTEL =
      Activity.of("CancelHotel", String.class, String.class);
  static final Activity<String, String> RENT_CAR =
      Activity.of("RentCar", String.class, String.class);
  static final Orchestration<String, String> TRIP =
      Orchestration.of("Trip", String.class, String.class);

  private TripSaga() {}

  static String trip(OrchestrationContext ctx, String city) {
    try (var saga = ctx.saga()) { // left without commit(), it runs the undos, newest first
      String flight = ctx.call(BOOK_FLIGHT, city).await();
      saga.undo(CANCEL_FLIGHT, flight);
      String hotel = ctx.call(BOOK_HOTEL, city).await();
      saga.undo(CANCEL_HOTEL, hotel);
      String car = ctx.call(RENT_CAR, city).await();
      saga.commit();
      return String.join(", ", flight, hotel, car);
    }
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(BOOK_FLIGHT, (ctx, city) -> "flight to " + city)
        .activity(CANCEL_FLIGHT, (ctx, flight) -> "cancelled " + flight)
        .activity(BOOK_HOTEL, (ctx, city) -> "hotel in " + city)
        .activity(CANCEL_HOTEL, (ctx, hotel) -> "cancelled " + hotel)
        .activity(RENT_CAR, (ctx, city) -> rentCar(city))
        .orchestration(TRIP, TripSaga::trip);
  }

  private static String rentCar(String city) {
    if (city.equals("Venice")) {
      throw new OrchestrationFailure("no cars in Venice");
    }
    return "car in " + city;
  }

  static String run(Client client, String city) {
    client.start(TRIP, city, city);
    try {
      return client.waitFor(TRIP, city, Duration.ofMinutes(1));
    } catch (ClientException.OrchestrationFailed e) {
      return "not booked: " + e.getMessage();
    }
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("trip-saga.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      var client = Client.of(store);
      System.out.println(run(client, "Porto"));
      System.out.println(run(client, "Venice"));
    }
  }
}
