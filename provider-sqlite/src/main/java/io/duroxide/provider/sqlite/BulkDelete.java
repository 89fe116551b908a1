package io.duroxide.provider.sqlite;

import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes many finished trees: candidates are read a page at a time beside the writer, which then
 * gets a few at a time, so that turns come between. Confined to one call.
 */
final class BulkDelete {
  private static final String OPERATION = "deleteInstanceBulk";

  /** A command ends once it has deleted so many. */
  private static final int INSTANCES_PER_COMMAND = 20;

  private final Writer writer;
  private final Readers readers;
  private final BulkDeletion how;
  private DeleteResult sum = DeleteResult.NONE;
  private long trees;

  BulkDelete(Writer writer, Readers readers, BulkDeletion how) {
    this.writer = writer;
    this.readers = readers;
    this.how = how;
  }

  DeleteResult run(InstanceFilter filter) {
    Selection.Finished after = Selection.Finished.NONE;
    while (trees < how.limit()) {
      Selection.Finished from = after;
      List<Selection.Finished> page =
          readers.read(OPERATION, sql -> new Selection(sql).finished(filter, from));
      if (page.isEmpty()) {
        return sum;
      }
      deleteAll(page);
      after = page.getLast();
    }
    return sum;
  }

  private void deleteAll(List<Selection.Finished> page) {
    int done = 0;
    while (done < page.size() && trees < how.limit()) {
      List<Selection.Finished> left = page.subList(done, page.size());
      Step step =
          how.dryRun()
              ? readers.read(OPERATION, sql -> step(left, new DeletionPreview(sql)::finishedTree))
              : writer.call(
                  OPERATION, tables -> step(left, new Deletion(tables, OPERATION)::finishedTree));
      done += step.looked();
      trees += step.trees();
      sum = sum.plus(step.deleted());
    }
  }

  /** What deletes a tree, or says what that would remove. */
  @FunctionalInterface
  private interface TreeDeletion {
    DeleteResult of(String root, boolean withRunningDescendants) throws SQLException;
  }

  /** What one command did. */
  private record Step(int looked, int trees, DeleteResult deleted) {}

  private Step step(List<Selection.Finished> roots, TreeDeletion deletion) throws SQLException {
    int looked = 0;
    int found = 0;
    DeleteResult deleted = DeleteResult.NONE;
    while (looked < roots.size()
        && looked < INSTANCES_PER_COMMAND
        && deleted.instancesDeleted() < INSTANCES_PER_COMMAND
        && trees + found < how.limit()) {
      DeleteResult one = deletion.of(roots.get(looked++).id(), how.withRunningDescendants());
      found += one.instancesDeleted() > 0 ? 1 : 0;
      deleted = deleted.plus(one);
    }
    return new Step(looked, found, deleted);
  }
}
