package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.runtime.FrameworkVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a build writes is recorded for its version, one line for each kind and field. A line looks
 * like {@code event TimerFired fire_at_ms number}.
 */
@DisplayName("The stored format")
class StoredFormatTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Often enough that each optional field of each kind is there at least once. */
  private static final int SAMPLES = 200;

  private final RandomRecords random = new RandomRecords(76);

  @Test
  @DisplayName("RL-076 stored kinds and fields equal the recorded list of this version")
  void recorded() throws IOException {
    assertThat(written())
        .as(
            "what is stored has changed: raise the version of the build and record its list as"
                + " core/src/test/resources/stored-format/<version>.txt; the list of a released"
                + " version is never edited")
        .containsExactlyElementsOf(recorded(FrameworkVersion.CURRENT.toString()));
  }

  private static List<String> recorded(String version) throws IOException {
    try (InputStream in =
        StoredFormatTest.class.getResourceAsStream("/stored-format/" + version + ".txt")) {
      assertThat(in).as("the recorded list of version " + version).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private SortedSet<String> written() {
    SortedSet<String> lines = new TreeSet<>();
    GoldenFile.kinds(EventKind.class)
        .forEach(kind ->
            samples(kind)
                .forEach(sample -> {
                  JsonNode event = MAPPER.readTree(EventCodec.encode(event((EventKind) sample)));
                  fields("event " + event.get("type").asString(), event, lines);
                }));
    GoldenFile.kinds(WorkItem.class)
        .forEach(kind ->
            samples(kind)
                .forEach(sample -> {
                  JsonNode item = MAPPER.readTree(WorkItemCodec.encode((WorkItem) sample));
                  fields("work-item " + item.get("type").asString(), item, lines);
                }));
    GoldenFile.kinds(ErrorDetails.class)
        .forEach(kind -> samples(kind).forEach(sample -> error((ErrorDetails) sample, lines)));
    return lines;
  }

  private Stream<?> samples(Class<?> kind) {
    return Stream.generate(() -> random.any(kind)).limit(SAMPLES);
  }

  private static Event event(EventKind kind) {
    boolean refers = kind instanceof EventKind.Completion || kind instanceof EventKind.Decision;
    return new Event(
        new ExecutionKey("order-7", 1),
        2,
        refers ? 1L : null,
        new EventStamp(Instant.EPOCH, "0.1.0"),
        kind);
  }

  private static void error(ErrorDetails details, SortedSet<String> lines) {
    FieldWriter out = new FieldWriter();
    ErrorDetailsForm.write(details, out);
    JsonNode error = MAPPER.readTree(out.finish());
    String kind = error.path("kind").asString(error.path("message_type").asString(""));
    fields(("error " + error.get("category").asString() + " " + kind).strip(), error, lines);
  }

  /** Errors inside others are listed as errors; all else is listed where it stands. */
  private static void fields(String place, JsonNode object, SortedSet<String> lines) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      JsonNode value = field.getValue();
      String path = place + " " + field.getKey();
      lines.add(path + " " + value.getNodeType().name().toLowerCase(java.util.Locale.ROOT));
      if (value.isObject() && !field.getKey().equals("details")) {
        fields(path, value, lines);
      }
    }
  }
}
