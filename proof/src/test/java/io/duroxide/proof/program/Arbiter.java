package io.duroxide.proof.program;

import java.util.Map;
import java.util.Set;

/**
 * What the model may know of a run, to decide what is free: the values of its instances, and the
 * messages that may have been sent twice because a send had no answer.
 */
public interface Arbiter {

  /** The values of an instance in the store. */
  Map<String, String> values(String instance);

  /** Messages for an instance that may have been sent more than once. */
  Set<String> doubtful(String instance);
}
