package io.duroxide.runtime;

import io.duroxide.api.ActivityContext;
import io.duroxide.api.DataConverter;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.TypeRef;
import io.duroxide.model.SystemActivities;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import java.util.Map;
import java.util.Optional;

/**
 * The activities of the framework itself. New histories answer time and ids inside the turn; these
 * serve histories that scheduled them as ordinary work.
 */
final class SystemCalls {
  private SystemCalls() {}

  static Map<String, ActivityRegistry.Code> handlers() {
    return Map.of(
        SystemActivities.NEW_GUID,
        (context, input) -> SystemRandomness.guid().toString(),
        SystemActivities.UTC_NOW,
        (context, input) -> Long.toString(context.service(Provider.class).now().toEpochMilli()),
        SystemActivities.GET_KV_VALUE,
        SystemCalls::kvValue);
  }

  private static String kvValue(ActivityContext context, String input) {
    Map<String, String> request =
        DataConverter.json().decodeJson(input, new TypeRef<Map<String, String>>() {});
    String instance = request.getOrDefault("instance_id", "");
    String key = request.getOrDefault("key", "");
    try {
      Optional<String> value = context.service(Provider.class).kvValue(instance, key);
      return DataConverter.json().encodeJson(value);
    } catch (ProviderException e) {
      throw new OrchestrationFailure("get_kv_value: " + e.getMessage());
    }
  }
}
