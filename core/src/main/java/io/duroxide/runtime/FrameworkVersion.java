package io.duroxide.runtime;

import io.duroxide.model.Semver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** The version of this framework; stamped on events and compared by the capability filter. */
public final class FrameworkVersion {
  /** What this build writes: three numbers, whatever the label of the build. */
  public static final Semver CURRENT = of(written());

  private FrameworkVersion() {}

  /**
   * The version that the build has written down. Where it was not asked, as by an IDE that copies
   * resources as they are, this is no release: it stamps no version, and replays nothing of others.
   */
  static Semver of(String written) {
    Semver version =
        Semver.tryParse(written.strip())
            .orElseGet(() -> {
              LoggerFactory.getLogger("io.duroxide.runtime")
                  .warn(
                      "the version of this build is not known, so {} is used; build it with Maven",
                      Semver.PLACEHOLDER);
              return Semver.parse(Semver.PLACEHOLDER);
            });
    return version.release();
  }

  private static String written() {
    try (InputStream in = FrameworkVersion.class.getResourceAsStream("version.txt")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("version.txt of duroxide-core cannot be read", e);
    }
  }
}
