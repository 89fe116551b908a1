/** Storage in one SQLite file. */
module io.duroxide.provider.sqlite {
  requires transitive io.duroxide.core;
  requires java.sql;
  requires org.xerial.sqlitejdbc;
  requires static transitive org.jspecify;

  exports io.duroxide.provider.sqlite;
}
