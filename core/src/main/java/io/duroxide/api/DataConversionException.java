package io.duroxide.api;

/** A payload that could not be encoded or decoded; escaping, it fails the orchestration. */
public final class DataConversionException extends OrchestrationFailure {
  private static final long serialVersionUID = 1L;

  public DataConversionException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}
