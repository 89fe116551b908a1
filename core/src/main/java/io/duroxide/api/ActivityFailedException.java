package io.duroxide.api;

import io.duroxide.model.ErrorDetails;

/** An activity failed. */
public final class ActivityFailedException extends TaskFailedException {
  private static final long serialVersionUID = 1L;

  public ActivityFailedException(
      String activity, ErrorDetails.Application details, DataConverter converter) {
    super(activity, details, converter);
  }
}
