package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.WorkItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Golden files")
class GoldenFileTest {

  @Test
  @DisplayName("RE-250 events are written and read as the golden file says")
  void events() {
    GoldenFile.holds("events.jsonl", GoldenEvents.ALL, EventCodec::encode, EventCodec::decode);
  }

  @Test
  @DisplayName("RE-250 work items are written and read as the golden file says")
  void workItems() {
    GoldenFile.holds(
        "work-items.jsonl", GoldenWorkItems.ALL, WorkItemCodec::encode, WorkItemCodec::decode);
  }

  @Test
  @DisplayName("RE-241 errors are written and read as the golden file says")
  void errors() {
    GoldenFile.holds(
        "errors.jsonl", GoldenErrors.ALL, GoldenFileTest::encode, GoldenFileTest::decode);
  }

  @Test
  @DisplayName("RE-250 every event kind has a golden line")
  void everyEventKind() {
    assertThat(GoldenFile.classes(GoldenEvents.ALL.stream().map(Event::kind)))
        .containsExactlyInAnyOrderElementsOf(GoldenFile.kinds(EventKind.class));
  }

  @Test
  @DisplayName("RE-250 every work item has a golden line")
  void everyWorkItem() {
    assertThat(GoldenFile.classes(GoldenWorkItems.ALL.stream()))
        .containsExactlyInAnyOrderElementsOf(GoldenFile.kinds(WorkItem.class));
  }

  @Test
  @DisplayName("RE-241 every category and kind of error has a golden line")
  void everyError() {
    assertThat(GoldenFile.classes(GoldenErrors.ALL.stream()))
        .containsExactlyInAnyOrderElementsOf(GoldenFile.kinds(ErrorDetails.class));
    assertThat(GoldenFile.classes(errors(ErrorDetails.Application.class).map(e -> e.kind())))
        .containsExactlyInAnyOrderElementsOf(GoldenFile.kinds(ApplicationErrorKind.class));
    assertThat(GoldenFile.classes(errors(ErrorDetails.Poison.class).map(e -> e.subject())))
        .containsExactlyInAnyOrderElementsOf(GoldenFile.kinds(PoisonSubject.class));
    assertThat(errors(ErrorDetails.Configuration.class).map(e -> e.kind()))
        .contains(ConfigurationErrorKind.values());
  }

  @Test
  @DisplayName("RE-252 the wire format document shows exactly the golden lines")
  void document() throws IOException {
    var shown =
        Files.readString(Path.of("..", "docs", "wire-format.md"))
            .lines()
            .filter(line -> line.startsWith("{"));
    var golden =
        Stream.of("events.jsonl", "work-items.jsonl", "errors.jsonl")
            .flatMap(name -> GoldenFile.lines(name).stream());
    assertThat(shown).containsExactlyInAnyOrderElementsOf(golden.toList());
  }

  private static <T extends ErrorDetails> Stream<T> errors(Class<T> category) {
    return GoldenErrors.ALL.stream().filter(category::isInstance).map(category::cast);
  }

  private static String encode(ErrorDetails details) {
    var out = new FieldWriter();
    ErrorDetailsForm.write(details, out);
    return out.finish();
  }

  private static ErrorDetails decode(String json) {
    return ErrorDetailsForm.read(FieldParser.parse("details", json));
  }
}
