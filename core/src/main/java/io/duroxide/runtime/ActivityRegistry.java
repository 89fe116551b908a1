package io.duroxide.runtime;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityHandler;
import io.duroxide.api.DataConverter;
import io.duroxide.model.SystemActivities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The activities a node can run, by name. Fixed after {@link Builder#build}. Thread-safe. */
public final class ActivityRegistry {
  /** An activity whose input and result are text. */
  @FunctionalInterface
  interface Code {
    String run(ActivityContext context, String input) throws Exception;
  }

  private final Map<String, Code> handlers;

  private ActivityRegistry(Map<String, Code> handlers) {
    this.handlers = Map.copyOf(handlers);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A builder that begins with everything in this registry. */
  public Builder extend() {
    return builder().merge(this);
  }

  Optional<Code> resolve(String name) {
    return Optional.ofNullable(handlers.get(name));
  }

  public Set<String> names() {
    return handlers.keySet();
  }

  public boolean has(String name) {
    return handlers.containsKey(name);
  }

  /** How many activities are registered, those of the framework not counted. */
  public int count() {
    return (int)
        handlers.keySet().stream()
            .filter(name -> !name.startsWith(SystemActivities.PREFIX))
            .count();
  }

  /** Collects registrations; problems are reported together by {@link #build}. */
  public static final class Builder {
    private final Map<String, Code> handlers = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable DataConverter fixed;

    private Builder() {}

    /**
     * Fixes the converter of inputs and results of handlers registered from now on. Others use the
     * converter of the runtime that runs them.
     */
    public Builder converter(DataConverter newConverter) {
      fixed = newConverter;
      return this;
    }

    public <I, O> Builder register(Activity<I, O> activity, ActivityHandler<I, O> handler) {
      if (activity.name().startsWith(SystemActivities.PREFIX)) {
        problems.add(
            "activity name '%s' uses the reserved prefix %s"
                .formatted(activity.name(), SystemActivities.PREFIX));
        return this;
      }
      DataConverter own = fixed;
      return add(
          activity.name(),
          (context, input) -> {
            DataConverter used = own == null ? context.service(DataConverter.class) : own;
            return used.encode(handler.run(context, used.decode(input, activity.input())));
          });
    }

    /** Adds everything of another registry. */
    public Builder merge(ActivityRegistry other) {
      other.handlers.forEach((name, code) -> {
        if (!name.startsWith(SystemActivities.PREFIX)) {
          add(name, code);
        }
      });
      return this;
    }

    private Builder add(String name, Code code) {
      if (handlers.putIfAbsent(name, code) != null) {
        problems.add("duplicate activity registration: " + name);
      }
      return this;
    }

    /** The registry with the framework's own activities; throws with every problem. */
    public ActivityRegistry build() {
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
      Map<String, Code> all = new LinkedHashMap<>(handlers);
      all.putAll(SystemCalls.handlers());
      return new ActivityRegistry(all);
    }
  }
}
