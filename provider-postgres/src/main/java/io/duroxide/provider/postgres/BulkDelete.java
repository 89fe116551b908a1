package io.duroxide.provider.postgres;

import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import java.util.List;

/**
 * Deletes trees one after the other, each in a transaction of its own. Candidates are looked for a
 * page at a time, until as many trees are deleted as asked for. Confined to one thread.
 */
final class BulkDelete {
  private static final String OPERATION = "deleteInstanceBulk";

  private final Store store;
  private final BulkDeletion how;
  private DeleteResult sum = DeleteResult.NONE;
  private long trees;

  BulkDelete(Store store, BulkDeletion how) {
    this.store = store;
    this.how = how;
  }

  DeleteResult run(InstanceFilter filter) {
    Selection.Finished after = Selection.Finished.NONE;
    while (trees < how.limit()) {
      Selection.Finished from = after;
      List<Selection.Finished> page =
          store.read(OPERATION, sql -> new Selection(sql).finished(filter, from));
      if (page.isEmpty()) {
        return sum;
      }
      page.forEach(this::add);
      after = page.getLast();
    }
    return sum;
  }

  private void add(Selection.Finished root) {
    if (trees >= how.limit()) {
      return;
    }
    DeleteResult one =
        store.change(OPERATION, sql -> new Deletion(sql, OPERATION).finishedTree(root.id(), how));
    if (one.instancesDeleted() > 0) {
      trees++;
      sum = sum.plus(one);
    }
  }
}
