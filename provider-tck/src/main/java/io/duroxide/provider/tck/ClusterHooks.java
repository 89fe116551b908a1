package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;

/**
 * What only a store has that nodes share over a network: namespaces, connections, migrations, and
 * somebody else who works on the same server. Handles that it opens are closed by the test.
 */
public interface ClusterHooks {

  /** The name of a store that nobody has opened yet. */
  String newNamespace();

  /** A handle with its own connections on the store called {@code namespace}. */
  Provider open(String namespace);

  /** A handle on the fixture's store that has two connections. */
  Provider openSmall();

  /** Replaces what runs inside the server, and whatever was prepared for it. */
  void replaceRoutines();

  /** Does to the fixture's store what a newer release does when it is installed. */
  void migrateFurther();

  /** Makes the store called {@code namespace} look as if another migration had been applied. */
  void tamperWithMigrations(String namespace);

  /** Ends every connection to the fixture's store, as a restart of the server does. */
  void endConnections();

  /** Begins a transaction on the server that has nothing to do with the store, until closed. */
  AutoCloseable longTransaction();
}
