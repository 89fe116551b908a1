package io.duroxide.tracing.opentelemetry;

import io.duroxide.model.ExecutionKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The span of an execution, known before it exists: its ids are a hash of the execution's own.
 * Every process computes the same ones, so nothing has to be stored or sent.
 *
 * <p>A child under a generated id belongs to the trace of its parent, because that id names the
 * parent. Any other execution has a trace of its own. Thread-safe.
 */
final class TraceIds {
  private static final String CHILD = "::sub::";
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private final long samplingBound;

  /**
   * @param share of traces that are sampled, from 0 to 1
   */
  TraceIds(double share) {
    this.samplingBound = share > 0 ? (long) (share * Long.MAX_VALUE) : Long.MIN_VALUE;
  }

  /** The span of an execution. */
  SpanContext span(ExecutionKey execution) {
    String trace = hash("trace " + root(execution), TRACE_BYTES);
    String span = hash("span " + execution, SPAN_BYTES);
    return SpanContext.createFromRemoteParent(trace, span, flags(trace), TraceState.getDefault());
  }

  /** The execution whose trace a child shares; empty for one with a trace of its own. */
  static Optional<ExecutionKey> sharedParent(ExecutionKey execution) {
    String instance = execution.instance();
    int marker = instance.lastIndexOf(CHILD);
    if (marker <= 0 || execution.executionId() != ExecutionKey.FIRST) {
      return Optional.empty();
    }
    String suffix = instance.substring(marker + CHILD.length());
    int separator = suffix.indexOf('_');
    return separator < 0
        ? Optional.of(new ExecutionKey(instance.substring(0, marker), ExecutionKey.FIRST))
        : parse(suffix.substring(0, separator))
            .map(id -> new ExecutionKey(instance.substring(0, marker), id));
  }

  private static Optional<Long> parse(String number) {
    try {
      return Optional.of(Long.parseLong(number));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static ExecutionKey root(ExecutionKey execution) {
    ExecutionKey root = execution;
    for (var parent = sharedParent(root); parent.isPresent(); parent = sharedParent(root)) {
      root = parent.get();
    }
    return root;
  }

  /** As the ratio sampler of the SDK decides, so that both agree on every trace. */
  private TraceFlags flags(String traceId) {
    long random = Long.parseUnsignedLong(traceId, SPAN_BYTES * 2, TRACE_BYTES * 2, 16);
    return Math.abs(random) < samplingBound ? TraceFlags.getSampled() : TraceFlags.getDefault();
  }

  private static String hash(String text, int bytes) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
