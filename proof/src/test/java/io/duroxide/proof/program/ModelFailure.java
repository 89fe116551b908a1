package io.duroxide.proof.program;

import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.TextLimit;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * An exception of the code, as the model throws it.
 *
 * <p>{@code type} is the class that the code catches; {@code thrown} the class that was thrown
 * where the failure began, which is what is recorded.
 */
final class ModelFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String type;
  private final String text;
  private final boolean deliberate;
  private final @Nullable String thrown;

  private ModelFailure(String type, String text, boolean deliberate, @Nullable String thrown) {
    super(type + ": " + text, null, false, false);
    this.type = type;
    this.text = text;
    this.deliberate = deliberate;
    this.thrown = thrown;
  }

  /** Thrown by the code itself. */
  static ModelFailure of(RuntimeException thrown) {
    return new ModelFailure(
        thrown.getClass().getSimpleName(),
        String.valueOf(thrown.getMessage()),
        thrown instanceof OrchestrationFailure,
        thrown.getClass().getName());
  }

  /** Of an activity. */
  static ModelFailure ofActivity(String text, @Nullable Class<?> thrown) {
    return new ModelFailure(
        "ActivityFailedException", text, true, thrown == null ? null : thrown.getName());
  }

  /** Of a child, with the text that a client reads. */
  static ModelFailure ofChild(String text, @Nullable String thrown) {
    return new ModelFailure("SubOrchestrationFailedException", text, true, thrown);
  }

  /** What is seen of something that was given up. */
  static ModelFailure givenUp(String kind) {
    return of(new CancellationException("the " + kind + " was given up and has no result"));
  }

  /** As programs note it. */
  String note() {
    boolean carries = type.endsWith("FailedException") && isProgramFailure();
    return Failures.text(type, text, carries ? payload() : "");
  }

  private boolean isProgramFailure() {
    return ProgramFailure.class.getName().equals(thrown);
  }

  /** A failure carries the length of its own message. */
  private String payload() {
    return new Amount(text.length()).toString();
  }

  /** How an instance ends that lets it pass; a text that is too long is cut. */
  Ending.Failed ending() {
    return deliberate
        ? new Ending.Failed(TextLimit.remark(text), thrown)
        : new Ending.Failed(
            "orchestration panicked: " + TextLimit.remark(thrown + ": " + text), thrown);
  }
}
