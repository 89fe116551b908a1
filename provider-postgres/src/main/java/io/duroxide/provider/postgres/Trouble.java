package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the database's own errors mean to a caller. */
final class Trouble {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  /** The standard's word for a statement of which nobody knows whether it was completed. */
  private static final String COMPLETION_UNKNOWN = "40003";

  /** A primary that has become a standby refuses changes with this. */
  private static final String READ_ONLY = "25006";

  private Trouble() {}

  /** What helps against an error. */
  enum Remedy {
    /** The same statement may succeed now. */
    REPEAT,
    /** The connection is of no use any more, and perhaps the statement was done. */
    RECONNECT,
    /** Nothing was done, as this server only reads; the next connection may reach another. */
    ELSEWHERE,
    /** Nothing: the statement itself is refused. */
    NONE
  }

  /** What a caller is told of a failure; what was refused stands. */
  static RuntimeException told(String operation, Throwable failure) {
    if (failure instanceof RuntimeException refusal) {
      return refusal;
    }
    return failure instanceof SQLException known ? of(operation, known) : cut(operation, failure);
  }

  /** An error of the machine says nothing about the operation, so it may be tried again. */
  private static ProviderException cut(String operation, Throwable error) {
    return new ProviderException(
        error instanceof VirtualMachineError ? Kind.UNAVAILABLE : Kind.UNKNOWN,
        operation,
        "cut short by " + error.getClass().getName() + "; try again",
        error);
  }

  static ProviderException of(String operation, SQLException cause) {
    return new ProviderException(
        kind(cause), operation, cause.getMessage() + "; " + advice(cause), cause);
  }

  /** An answer was lost, and could not be found out by another try because of {@code cause}. */
  static ProviderException lostAnswer(String operation, SQLException cause) {
    return new ProviderException(
        Kind.UNAVAILABLE,
        operation,
        "an answer was lost, and it is unknown whether this was done; try again: "
            + cause.getMessage(),
        cause);
  }

  /** The server has answered, and nobody understood what. */
  static SQLException unread(Throwable bug) {
    return new SQLException("the answer could not be read", COMPLETION_UNKNOWN, bug);
  }

  static Remedy remedy(SQLException cause) {
    if (isPool(cause)) {
      return Remedy.NONE;
    }
    String state = state(cause);
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "40", "55" -> Remedy.REPEAT;
      // A plan or a prepared statement of an earlier time, made anew with the next try.
      case "0A", "26" -> isStale(cause) ? Remedy.REPEAT : Remedy.NONE;
      case "08", "57", "58", "53" -> Remedy.RECONNECT;
      case "25" -> state.equals(READ_ONLY) ? Remedy.ELSEWHERE : Remedy.NONE;
      case "" -> Remedy.RECONNECT;
      default -> Remedy.NONE;
    };
  }

  /** A pool shall not lend a connection again that leads to a server which only reads. */
  static void cutOff(Connection connection, SQLException failure) {
    if (remedy(failure) == Remedy.ELSEWHERE) {
      abort(connection);
    }
  }

  /** The driver was cut short, so nobody knows what the next one would read from the connection. */
  static void cutOff(Connection connection, Error failure) {
    LOG.debug("a connection was cut short", failure);
    abort(connection);
  }

  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      LOG.debug("a connection was gone already: {}", alreadyGone.getMessage());
    }
  }

  private static Kind kind(SQLException cause) {
    if (isPool(cause) || cause instanceof SQLTimeoutException) {
      return Kind.UNAVAILABLE;
    }
    String state = state(cause);
    if (isStale(cause)) {
      return Kind.CONTENTION;
    }
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "08", "53", "58" -> Kind.UNAVAILABLE;
      case "57" -> state.equals("57014") ? Kind.TIMEOUT : Kind.UNAVAILABLE;
      case "40" -> state.equals(COMPLETION_UNKNOWN) ? Kind.UNKNOWN : Kind.CONTENTION;
      case "55" -> Kind.CONTENTION;
      // Credentials that are being exchanged are refused for a while.
      case "28" -> Kind.UNAVAILABLE;
      // A standby after a fail-over, which the next connection will not reach.
      case "25" -> Kind.UNAVAILABLE;
      case "22", "23", "42", "3F", "0A", "54" -> Kind.UNKNOWN_PERMANENT;
      default -> Kind.UNKNOWN;
    };
  }

  static boolean isPool(SQLException cause) {
    return cause instanceof SQLTransientConnectionException;
  }

  /** The plan of a prepared statement no longer fits, or the server has forgotten it. */
  private static boolean isStale(SQLException cause) {
    String state = state(cause);
    return state.equals("26000")
        || (state.equals("0A000") && String.valueOf(cause.getMessage()).contains("cached plan"));
  }

  private static String state(SQLException cause) {
    String state = cause.getSQLState();
    return state == null ? "" : state;
  }

  private static String advice(SQLException cause) {
    return switch (kind(cause)) {
      case UNAVAILABLE -> "check that the server is up and has connections left, and try again";
      case TIMEOUT -> "the server took too long; try again";
      case CONTENTION -> "another transaction was in the way; try again";
      default -> "see the cause";
    };
  }
}
