package io.duroxide.proof.program;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** How a part of a program ends. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
public sealed interface End {

  /** Returns what it noted. */
  record Return() implements End {}

  /** Fails with this failure. */
  record Fail(Failing failing, String text) implements End {}

  /** Stores a value above the limit, in a turn of its own. */
  record Exceed() implements End {}

  /**
   * Goes on with the next part.
   *
   * @param version of the next execution; null for the newest
   * @param keepLast how many executions to keep; 0 for no pruning
   */
  record Continue(@Nullable String version, int keepLast) implements End {
    /** Whether it needs no options. */
    @JsonIgnore
    boolean isPlain() {
      return version == null && keepLast == 0;
    }
  }

  /** Waits until a client cancels it, which it may from this position on. */
  record AwaitCancel(int position, String reason) implements End {}

  /** Waits for what never comes, until its parent gives it up. */
  record AwaitParent() implements End {}
}
