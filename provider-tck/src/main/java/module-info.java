/** The validation kit for storage providers. */
module io.duroxide.provider.tck {
  requires transitive io.duroxide.core;
  requires transitive java.sql;
  requires transitive org.junit.jupiter.api;
  requires java.management;
  requires org.assertj.core;
  requires org.junit.platform.launcher;
  requires static transitive org.jspecify;

  exports io.duroxide.provider.tck;

  opens io.duroxide.provider.tck to
      org.junit.platform.commons;
}
