package io.duroxide.cli;

import io.duroxide.management.Management;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Walks along listings that come in pages. */
record Pages(Management management) {
  private static final int SIZE = 200;

  /** Up to {@code limit} instances that match, newest first. */
  List<InstanceInfo> instances(InstanceFilter filter, int limit) {
    List<InstanceInfo> rows = new ArrayList<>();
    InstanceQuery query = InstanceQuery.firstPage(filter, Math.min(SIZE, limit));
    while (rows.size() < limit) {
      InstancePage page = management.list(query);
      rows.addAll(page.rows());
      if (page.next() == null) {
        break;
      }
      query = query.after(page.next());
    }
    return rows.subList(0, Math.min(limit, rows.size()));
  }

  List<ExecutionInfo> executions(String instance) {
    List<ExecutionInfo> all = new ArrayList<>();
    List<ExecutionInfo> page = management.executions(instance, 0, SIZE);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = management.executions(instance, page.getLast().executionId(), SIZE);
    }
    return all;
  }

  /** Hands on the events behind {@code after}, in order; gives the id of the last there is. */
  long events(ExecutionKey execution, long after, Consumer<Event> sink) {
    long last = after;
    List<Event> page = management.history(execution, last, SIZE);
    while (!page.isEmpty()) {
      page.forEach(sink);
      last = page.getLast().id();
      page = management.history(execution, last, SIZE);
    }
    return last;
  }
}
