package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Reasons;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReasonsTest {
  @Test
  @DisplayName("RL-078 the reasons of the wire format document are those of the code")
  void document() throws IOException, IllegalAccessException {
    List<String> coded = new ArrayList<>();
    for (Field field : Reasons.class.getFields()) {
      coded.add((String) field.get(null));
    }
    String document = Files.readString(Path.of("..", "docs", "wire-format.md"));
    int begin = document.indexOf("## Reasons");
    String section = document.substring(begin, document.indexOf("\n## ", begin));
    Matcher rows = Pattern.compile("(?m)^\\| `([^`]+)` ").matcher(section);
    List<String> documented = rows.results().map(row -> row.group(1)).toList();

    assertThat(documented).containsExactlyInAnyOrderElementsOf(coded);
  }
}
