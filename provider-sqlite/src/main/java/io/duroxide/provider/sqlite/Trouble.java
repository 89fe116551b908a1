package io.duroxide.provider.sqlite;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * What the database's own errors mean to a caller.
 *
 * @param file how messages name the store
 */
record Trouble(String file) {

  /** What a caller is told of a failure; what a command has refused stands. */
  RuntimeException told(String operation, Throwable failure) {
    if (failure instanceof RuntimeException refusal) {
      return refusal;
    }
    return failure instanceof SQLException known ? of(operation, known) : of(operation, failure);
  }

  /** An error of the machine says nothing about the operation, so it may be tried again. */
  private ProviderException of(String operation, Throwable error) {
    return new ProviderException(
        error instanceof VirtualMachineError ? Kind.UNAVAILABLE : Kind.UNKNOWN,
        operation,
        file + ": cut short by " + error.getClass().getName() + "; nothing was changed, try again",
        error);
  }

  ProviderException of(String operation, SQLException cause) {
    SQLiteErrorCode code = code(cause);
    Kind kind = kind(code);
    return new ProviderException(
        kind, operation, file + ": " + cause.getMessage() + "; " + advice(code), cause);
  }

  /** Whether a connection that failed like this cannot be relied on any more. */
  static boolean breaksConnection(SQLException failure) {
    SQLiteErrorCode code = code(failure);
    return family(code) != SQLiteErrorCode.SQLITE_FULL
        && switch (kind(code)) {
          case UNAVAILABLE, CORRUPT_DATA, UNKNOWN -> true;
          default -> false;
        };
  }

  private static SQLiteErrorCode code(SQLException cause) {
    return cause instanceof SQLiteException known
        ? known.getResultCode()
        : SQLiteErrorCode.getErrorCode(cause.getErrorCode());
  }

  /** The low byte of a code is its family; the rest tells the members apart. */
  private static SQLiteErrorCode family(SQLiteErrorCode code) {
    return SQLiteErrorCode.getErrorCode(code.code & 0xff);
  }

  private static Kind kind(SQLiteErrorCode code) {
    return switch (family(code)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL -> Kind.CONTENTION;
      case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY, SQLITE_NOMEM, SQLITE_PERM ->
          Kind.UNAVAILABLE;
      case SQLITE_INTERRUPT -> Kind.TIMEOUT;
      case SQLITE_CORRUPT, SQLITE_NOTADB -> Kind.CORRUPT_DATA;
      case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_TOOBIG ->
          Kind.UNKNOWN_PERMANENT;
      default -> Kind.UNKNOWN;
    };
  }

  private static String advice(SQLiteErrorCode code) {
    return switch (family(code)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          "another process holds the file; try again, or raise the busy timeout";
      case SQLITE_FULL -> "free space on the disk and try again; nothing committed is lost";
      case SQLITE_READONLY, SQLITE_PERM ->
          "allow this process to write to the file and to its folder";
      case SQLITE_CANTOPEN -> "check that the folder exists and that this process may write to it";
      case SQLITE_IOERR -> "check the disk and try again";
      case SQLITE_CORRUPT ->
          "a page of the file is damaged; stop, copy the file, and restore it from a backup or"
              + " with sqlite3's .recover";
      case SQLITE_NOTADB -> "the file is no SQLite database; name another file";
      default -> "see the cause";
    };
  }
}
