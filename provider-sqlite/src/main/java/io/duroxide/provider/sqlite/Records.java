package io.duroxide.provider.sqlite;

/** What commits leave behind. Confined to the writer. */
record Records(
    Executions executions, History history, Values values, CustomStatuses customStatuses) {

  static Records on(Tx tx) {
    return new Records(
        new Executions(tx), History.on(tx), new Values(tx), new CustomStatuses(tx.sql()));
  }
}
