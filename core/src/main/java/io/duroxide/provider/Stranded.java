package io.duroxide.provider;

import io.duroxide.model.NodeOffer;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Ready work that no live node can run.
 *
 * @param reason why, in words
 */
public record Stranded(WaitingWork work, String reason) {
  public Stranded {
    Objects.requireNonNull(work, "work");
    Objects.requireNonNull(reason, "reason");
  }

  /** What of this work none of these nodes can run. */
  public static List<Stranded> among(Collection<WaitingWork> waiting, Collection<NodeInfo> nodes) {
    List<NodeOffer> offers = nodes.stream().map(NodeInfo::offer).toList();
    List<Stranded> stranded = new ArrayList<>();
    for (WaitingWork work : waiting) {
      reason(work.need(), offers).ifPresent(reason -> stranded.add(new Stranded(work, reason)));
    }
    return stranded;
  }

  private static Optional<String> reason(Need need, List<NodeOffer> offers) {
    if (offers.isEmpty()) {
      return Optional.of("no node is up");
    }
    return switch (need) {
      case Need.Turn turn -> turn(turn, offers);
      case Need.Run run -> run(run, offers);
    };
  }

  private static Optional<String> turn(Need.Turn turn, List<NodeOffer> offers) {
    String name = turn.orchestration();
    List<NodeOffer> named = having(offers, offer -> offer.has(name, null));
    if (named.isEmpty()) {
      return Optional.of("no live node has the orchestration '%s'".formatted(name));
    }
    List<NodeOffer> able = having(named, offer -> offer.has(name, turn.version()));
    if (able.isEmpty()) {
      return Optional.of(
          "no live node has version %s of '%s'; there is %s"
              .formatted(
                  turn.version(), name, distinct(named, offer -> offer.versions(name).stream())));
    }
    ExecutionPin pin = turn.pin();
    Optional<Semver> pinned = pin == null ? Optional.empty() : pin.version();
    if (pin != null && pinned.isEmpty()) {
      return Optional.of(
          "the framework version '%s' of the execution cannot be read".formatted(pin));
    }
    if (able.stream().noneMatch(offer -> offer.replays(pinned.orElse(null)))) {
      return Optional.of(
          "no live node that has '%s' replays executions of framework %s; they replay %s"
              .formatted(
                  name,
                  pin == null ? "any version" : pin,
                  distinct(able, offer -> offer.replays().stream().map(SemverRange::toString))));
    }
    return Optional.empty();
  }

  private static Optional<String> run(Need.Run run, List<NodeOffer> offers) {
    List<NodeOffer> named = having(offers, offer -> offer.activities().contains(run.activity()));
    if (named.isEmpty()) {
      return Optional.of("no live node has the activity '%s'".formatted(run.activity()));
    }
    if (named.stream().anyMatch(offer -> offer.serves(run.tag()))) {
      return Optional.empty();
    }
    return Optional.of(
        "no live node that has '%s' serves %s"
            .formatted(
                run.activity(),
                run.tag() == null ? "activities without a tag" : "the tag '" + run.tag() + "'"));
  }

  private static List<NodeOffer> having(List<NodeOffer> offers, Predicate<NodeOffer> what) {
    return offers.stream().filter(what).toList();
  }

  private static String distinct(List<NodeOffer> of, Function<NodeOffer, Stream<String>> what) {
    TreeSet<String> all = new TreeSet<>();
    of.forEach(offer -> what.apply(offer).forEach(all::add));
    return all.isEmpty() ? "none" : String.join(", ", all);
  }

  /** One sentence, such as {@code 3 turns of 'Order' 2.0.0 wait, the first of order-7: …}. */
  public String words() {
    String first =
        work.instances().isEmpty() ? "" : ", the first of " + work.instances().getFirst();
    return "%s %s%s: %s".formatted(what(), work.count() == 1 ? "waits" : "wait", first, reason);
  }

  /** How much of what, such as {@code 3 turns of 'Order' 2.0.0}. */
  public String what() {
    return switch (work.need()) {
      case Need.Turn turn ->
          "%d %s of '%s'%s"
              .formatted(
                  work.count(),
                  work.count() == 1 ? "turn" : "turns",
                  turn.orchestration(),
                  turn.version() == null ? "" : " " + turn.version());
      case Need.Run run ->
          "%d %s '%s'%s"
              .formatted(
                  work.count(),
                  work.count() == 1 ? "activity" : "activities",
                  run.activity(),
                  run.tag() == null ? "" : " with tag '" + run.tag() + "'");
    };
  }
}
