package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.ProviderException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what many callers ask about at a time.
 *
 * <p>While one statement is under way, callers queue up; the first of them then asks for all. Each
 * caller is told what was so after its question. Thread-safe.
 */
final class StatusReads {
  private static final int MOST = 500;

  private final Store store;
  private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock asking = new ReentrantLock();

  StatusReads(Store store) {
    this.store = store;
  }

  /** What one caller wants to know. Guarded by {@code asking}, except for the instance. */
  private static final class Question {
    final String instance;
    boolean answered;
    @Nullable InstanceStatus answer;
    @Nullable ProviderException failure;

    Question(String instance) {
      this.instance = instance;
    }

    Optional<InstanceStatus> result() {
      if (failure != null) {
        throw failure;
      }
      return Optional.ofNullable(answer);
    }
  }

  Optional<InstanceStatus> read(String instance) {
    Question own = new Question(instance);
    waiting.add(own);
    asking.lock();
    try {
      while (!own.answered) {
        askForAll();
      }
      return own.result();
    } finally {
      waiting.remove(own);
      asking.unlock();
    }
  }

  /** Whatever breaks the answer, nobody's question is lost: those without one are asked again. */
  private void askForAll() {
    List<Question> all = new ArrayList<>();
    for (Question next = waiting.poll(); next != null; next = waiting.poll()) {
      all.add(next);
      if (all.size() == MOST) {
        break;
      }
    }
    try {
      answer(all);
    } catch (ProviderException failure) {
      fail(all, failure);
    } finally {
      all.removeIf(question -> question.answered);
      waiting.addAll(all);
    }
  }

  private void answer(List<Question> all) {
    Set<String> instances = new LinkedHashSet<>();
    all.forEach(question -> instances.add(question.instance));
    Map<String, InstanceStatus> found = find(instances);
    for (Question question : all) {
      question.answer = found.get(question.instance);
      question.answered = true;
    }
  }

  private static void fail(List<Question> all, ProviderException failure) {
    for (Question question : all) {
      question.failure = failure;
      question.answered = true;
    }
  }

  private static final String STATUS =
      """
      SELECT * FROM @.status(?)
      """;

  private Map<String, InstanceStatus> find(Set<String> instances) {
    return store.read(
        "status",
        sql -> {
          Map<String, InstanceStatus> found = new HashMap<>();
          sql.list(STATUS, row -> found.put(Sql.text(row, 1), status(row)), instances);
          return found;
        });
  }

  private static InstanceStatus status(ResultSet row) throws SQLException {
    return new InstanceStatus(
        row.getLong(2),
        ExecutionStatus.ofStored(row.getString(3)),
        Sql.maybeText(row, 4),
        new CustomStatus(Sql.maybeText(row, 5), row.getLong(6)),
        Instant.ofEpochMilli(row.getLong(7)));
  }
}
