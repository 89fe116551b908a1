package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The first connection of a store. A server that starts, or a connection that breaks, is tried
 * again for as long as operations have patience; what no patience mends is told at once.
 */
final class Opening {
  private static final String NO_RIGHT = "42501";

  private final DataSource source;
  private final long patienceNanos;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Pauses pauses = new Pauses();

  Opening(DataSource source, PostgresOptions options) {
    this.source = source;
    this.patienceNanos = options.waits().patience().toNanos();
  }

  void run(Migrations migrations) {
    long deadline = nanos.getAsLong() + patienceNanos;
    for (int tries = 1; ; tries++) {
      try (Connection connection = source.getConnection()) {
        if (!connection.getAutoCommit()) {
          connection.setAutoCommit(true);
        }
        migrations.apply(connection);
        return;
      } catch (SQLException failure) {
        SQLException refused = refusal(failure);
        if (refused != null) {
          throw refused(refused);
        }
        if (deadline - nanos.getAsLong() <= 0 || !mayPass(failure)) {
          throw Trouble.of("open", failure);
        }
      }
      pauses.take(tries);
    }
  }

  private static boolean mayPass(SQLException failure) {
    return switch (Trouble.remedy(failure)) {
      case RECONNECT, ELSEWHERE, REPEAT -> true;
      case NONE -> Trouble.isPool(failure);
    };
  }

  /** What the server says by itself, however deep a pool has hidden it; null if it did not. */
  private static @Nullable SQLException refusal(SQLException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException known && isRefusal(known)) {
        return known;
      }
    }
    return null;
  }

  private static boolean isRefusal(SQLException failure) {
    String state = Objects.requireNonNullElse(failure.getSQLState(), "");
    return state.startsWith("28") || state.startsWith("3D") || state.equals(NO_RIGHT);
  }

  private static ProviderException refused(SQLException refusal) {
    return new ProviderException(
        Kind.UNKNOWN_PERMANENT,
        "open",
        refusal.getMessage() + "; check user, password, database and rights",
        refusal);
  }
}
