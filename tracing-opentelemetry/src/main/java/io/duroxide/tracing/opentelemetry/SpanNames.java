package io.duroxide.tracing.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;

/** The attributes of spans. */
final class SpanNames {
  static final AttributeKey<String> INSTANCE = AttributeKey.stringKey("duroxide.instance_id");
  static final AttributeKey<Long> EXECUTION = AttributeKey.longKey("duroxide.execution_id");
  static final AttributeKey<String> ORCHESTRATION =
      AttributeKey.stringKey("duroxide.orchestration_name");
  static final AttributeKey<String> VERSION =
      AttributeKey.stringKey("duroxide.orchestration_version");
  static final AttributeKey<String> STATUS = AttributeKey.stringKey("duroxide.status");
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  static final AttributeKey<Long> TURNS = AttributeKey.longKey("duroxide.turns");
  static final AttributeKey<Long> HISTORY_EVENTS = AttributeKey.longKey("duroxide.history_events");
  static final AttributeKey<Long> MESSAGES = AttributeKey.longKey("duroxide.turn.messages");
  static final AttributeKey<Long> REPLAYED = AttributeKey.longKey("duroxide.turn.replayed_events");
  static final AttributeKey<Long> RECORDED = AttributeKey.longKey("duroxide.turn.recorded_events");
  static final AttributeKey<Boolean> KEPT = AttributeKey.booleanKey("duroxide.turn.kept");
  static final AttributeKey<String> ACTIVITY = AttributeKey.stringKey("duroxide.activity_name");
  static final AttributeKey<Long> ACTIVITY_ID = AttributeKey.longKey("duroxide.activity_id");
  static final AttributeKey<String> TAG = AttributeKey.stringKey("duroxide.activity_tag");
  static final AttributeKey<String> SESSION = AttributeKey.stringKey("duroxide.session_id");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("duroxide.attempt");
  static final AttributeKey<Long> QUEUED_MILLIS = AttributeKey.longKey("duroxide.queued_ms");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("duroxide.outcome");
  static final AttributeKey<String> NAME = AttributeKey.stringKey("duroxide.name");

  /** On a link: how the other span is related. */
  static final AttributeKey<String> LINK = AttributeKey.stringKey("duroxide.link");

  private SpanNames() {}
}
