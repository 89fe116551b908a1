package io.duroxide.proof;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a lane wrote with {@code --record}; more fields may stand in the file.
 *
 * @param figures what was counted or measured
 */
record LaneRecord(String lane, String commit, String verdict, Map<String, Long> figures) {
  private static final Path FOLDER = Path.of("records");

  /** The committed record of a lane, unless the lane has none yet. */
  static Optional<LaneRecord> committed(String lane) {
    Path file = FOLDER.resolve(lane + ".json");
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  private static LaneRecord read(Path file) {
    return JsonMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build()
        .readValue(file, LaneRecord.class);
  }

  boolean isGreen() {
    return verdict.equals("green");
  }

  long figure(String name) {
    return figures.get(name);
  }
}
