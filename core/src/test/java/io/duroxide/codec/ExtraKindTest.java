package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds a kind of subscription to a copy of the sources, builds the copy, and lets it run beside
 * this build.
 */
class ExtraKindTest {
  private static final Pattern TYPE = Pattern.compile("\"type\":\"(\\w+)\"");

  @Test
  @DisplayName(
      "RE-253 E2E-241 E2E-243 E2E-824 a new subscription kind is added by new lines only, runs end"
          + " to end, and shares no execution with the old kinds")
  void extraKind(@TempDir Path temp) throws Exception {
    ExtendedSources sources = ExtendedSources.copyTo(temp.resolve("src"));
    addTopics(sources);
    assertThat(sources.changedLines()).as("lines of today's sources that are gone").isEmpty();
    sources.add("io/duroxide/replay/Topics.java", "re253/Topics.java.txt");
    sources.add("io/duroxide/runtime/TopicScenario.java", "re253/TopicScenario.java.txt");
    Path classes = sources.compile("io/duroxide/runtime/TopicScenario.java", temp);

    try (ExtendedBuild extended = new ExtendedBuild(classes)) {
      List<List<String>> executions = extended.runScenario();

      assertThat(types(executions.get(0)))
          .containsExactly(
              "OrchestrationStarted",
              "ExternalSubscribed",
              "ExternalEvent",
              "ExternalSubscribed",
              "ExternalEvent",
              "ExternalSubscribed",
              "ExternalEvent",
              "OrchestrationContinuedAsNew");
      assertThat(types(executions.get(1)))
          .containsExactly(
              "OrchestrationStarted", "TopicSubscribed", "ExternalEvent", "OrchestrationCompleted");
      assertThat(executions.get(1).getLast()).contains("\"output\":\"read 25\"");
      assertThat(executions.get(0)).allSatisfy(EventCodec::decode);
      assertThatThrownBy(() -> executions.get(1).forEach(EventCodec::decode))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("unknown type 'TopicSubscribed'");
      for (List<String> lines : executions) {
        for (String line : lines) {
          assertThat(extended.recoded(line)).isEqualTo(line);
        }
      }
    }
  }

  private static List<String> types(List<String> lines) {
    return lines.stream().map(ExtraKindTest::type).toList();
  }

  private static String type(String line) {
    Matcher matcher = TYPE.matcher(line);
    assertThat(matcher.find()).as(line).isTrue();
    return matcher.group(1);
  }

  /** The record, the action, the codec, and a case wherever the compiler asks for one. */
  private static void addTopics(ExtendedSources sources) {
    sources
        .in("model/EventKind.java")
        .before(
            "record TimerCreated(",
            "  record TopicSubscribed(String name, String topic) implements Schedule {}");
    sources
        .in("codec/EventReader.java")
        .before(
            "entry(\"TimerFired\"",
            "entry(\"TopicSubscribed\", in ->",
            "    new EventKind.TopicSubscribed(in.text(\"name\"), in.text(\"topic\"))),");
    sources
        .in("codec/EventWriter.java")
        .before(
            "case EventKind.TimerCreated k",
            "case EventKind.TopicSubscribed k ->",
            "    head(\"TopicSubscribed\").text(\"name\", k.name()).text(\"topic\", k.topic());");
    sources
        .in("replay/Action.java")
        .before(
            "record CreateTimer(",
            "record SubscribeTopic(String name, String topic) implements Action {}");
    sources
        .in("replay/ReplayContext.java")
        .before(
            "private DurableFuture<String> systemCall(",
            "DurableFuture<String> subscribeTopic(String name, String topic) {",
            "  return conductor.schedule(new Action.SubscribeTopic(name, topic),",
            "      ScheduleKind.WAIT);",
            "}");
    sources
        .in("replay/NewEvents.java")
        .before(
            "case Action.CreateTimer t",
            "case Action.SubscribeTopic s -> new EventKind.TopicSubscribed(s.name(), s.topic());");
    sources
        .in("replay/Matching.java")
        .before(
            "case EventKind.TimerCreated ignored",
            "case EventKind.TopicSubscribed e ->",
            "    action instanceof Action.SubscribeTopic a",
            "        && a.name().equals(e.name())",
            "        && a.topic().equals(e.topic());");
    sources
        .in("replay/ScheduleKind.java")
        .before(
            "case EventKind.TimerCreated ignored",
            "case EventKind.TopicSubscribed ignored -> WAIT;");
    sources
        .in("replay/Ledger.java")
        .before(
            "case EventKind.TimerCreated ignored",
            "case EventKind.TopicSubscribed s -> s.name() + '/' + s.topic();");
    sources
        .in("replay/PayloadSize.java")
        .before("case EventKind.TimerCreated e", "case EventKind.TopicSubscribed e -> 0;");
    sources
        .in("replay/Walk.java")
        .before(
            "case Action.DequeueEvent dequeue",
            "case Action.SubscribeTopic s ->",
            "    waits.computeIfAbsent(s.name() + '/' + s.topic(), key -> new ArrayList<>(1))",
            "        .add(future);");
    sources
        .in("replay/Nondeterminism.java")
        .before("case Action.CreateTimer ignored", "case Action.SubscribeTopic s -> \"a topic\";");
    sources
        .in("runtime/CommitPlan.java")
        .before("case Action.WaitExternal ignored", "case Action.SubscribeTopic ignored -> {}");
  }

  /** The extended build, kept apart from this one; only text crosses the border. */
  private static final class ExtendedBuild extends URLClassLoader {
    ExtendedBuild(Path classes) throws Exception {
      super(new URL[] {classes.toUri().toURL()}, ExtraKindTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.duroxide.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @SuppressWarnings("unchecked")
    List<List<String>> runScenario() throws Exception {
      Class<?> scenario = loadClass("io.duroxide.runtime.TopicScenario");
      return (List<List<String>>) scenario.getMethod("run").invoke(null);
    }

    /** A line after the extended build has decoded and encoded it. */
    String recoded(String line) throws ReflectiveOperationException {
      Class<?> codec = loadClass("io.duroxide.codec.EventCodec");
      Class<?> event = loadClass("io.duroxide.model.Event");
      try {
        Object decoded = codec.getMethod("decode", String.class).invoke(null, line);
        return (String) codec.getMethod("encode", event).invoke(null, decoded);
      } catch (InvocationTargetException e) {
        throw new AssertionError("the extended build cannot read " + line, e.getCause());
      }
    }
  }
}
