package io.duroxide.model;

/** Names of the activities that the framework itself serves. */
public final class SystemActivities {
  /** No user activity may begin with this. */
  public static final String PREFIX = "__duroxide_syscall:";

  public static final String NEW_GUID = PREFIX + "new_guid";
  public static final String UTC_NOW = PREFIX + "utc_now_ms";
  public static final String GET_KV_VALUE = PREFIX + "get_kv_value";

  private SystemActivities() {}
}
