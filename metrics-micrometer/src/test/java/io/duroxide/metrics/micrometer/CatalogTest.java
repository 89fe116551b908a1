package io.duroxide.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CatalogTest {
  /** Dashboards and alerts of users refer to these: never change one. */
  private static final List<String> PROMISED =
      """
      duroxide_orchestration_starts_total orchestration_name,version,initiated_by
      duroxide_orchestration_completions_total orchestration_name,version,status,final_turn_count
      duroxide_orchestration_failures_total orchestration_name,version,error_type,error_category
      duroxide_orchestration_duration_seconds orchestration_name,version,status
      duroxide_orchestration_history_size orchestration_name
      duroxide_orchestration_turns orchestration_name
      duroxide_orchestration_infrastructure_errors_total orchestration_name,error_category
      duroxide_orchestration_configuration_errors_total orchestration_name,error_category
      duroxide_orchestration_continue_as_new_total orchestration_name
      duroxide_orchestration_poison_total orchestration_name
      duroxide_active_orchestrations -
      duroxide_orchestrator_queue_depth state
      duroxide_worker_queue_depth state
      duroxide_worker_queue_ready tag
      duroxide_stranded_work queue
      duroxide_activity_executions_total activity_name,outcome,retry_attempt,tag
      duroxide_activity_duration_seconds activity_name,outcome,tag
      duroxide_activity_infrastructure_errors_total activity_name
      duroxide_activity_configuration_errors_total activity_name
      duroxide_activity_poison_total activity_name
      duroxide_suborchestration_calls_total parent_orchestration,child_orchestration,outcome
      duroxide_suborchestration_duration_seconds parent_orchestration,child_orchestration,outcome
      duroxide_provider_operation_duration_seconds operation,status,result
      duroxide_provider_errors_total operation,error_type
      duroxide_client_orchestration_starts_total orchestration_name
      duroxide_client_external_events_raised_total event_name
      duroxide_client_cancellations_total -
      duroxide_client_wait_duration_seconds -
      duroxide_orchestration_dispatcher_items_fetched_total -
      duroxide_worker_dispatcher_items_fetched_total -
      duroxide_orchestration_dispatcher_processing_duration_seconds outcome
      duroxide_worker_dispatcher_execution_duration_seconds -
      duroxide_executions_pruned_total orchestration_name,source
      duroxide_history_events_pruned_total orchestration_name,source
      duroxide_prune_failures_total orchestration_name,source
      duroxide_prune_duration_seconds source
      duroxide_orphans_cleaned_total kind
      duroxide_incompatible_version_abandoned_total -
      duroxide_unregistered_backoff_total kind,name
      duroxide_ack_retries_total queue
      duroxide_lock_renewal_failures_total kind,error_type
      duroxide_sessions_owned -
      duroxide_sessions_in_flight -
      duroxide_session_claims_total claim
      duroxide_zombie_activity_threads -
      duroxide_schedule_to_start_seconds queue
      duroxide_replay_events_total -
      duroxide_messages_dropped_total reason
      """
          .lines()
          .toList();

  private static final List<String> FORBIDDEN_LABELS =
      List.of("instance_id", "execution_id", "session_id", "activity_id");

  @Test
  @DisplayName("the promised names and labels exist")
  void promised() {
    assertThat(
            Arrays.stream(Metric.values())
                .map(metric ->
                    metric.prometheusName()
                        + " "
                        + (metric.labels().isEmpty() ? "-" : String.join(",", metric.labels()))))
        .containsAll(PROMISED)
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("buckets are those of the catalog, and ascend")
  void buckets() {
    assertThat(Metric.ORCHESTRATION_DURATION.buckets())
        .containsExactly(.1, .5, 1d, 2d, 5d, 10d, 30d, 60d, 300d, 600d, 1800d, 3600d);
    assertThat(Metric.ORCHESTRATION_HISTORY_SIZE.buckets())
        .containsExactly(10d, 50d, 100d, 500d, 1000d, 5000d, 10000d);
    assertThat(Metric.ORCHESTRATION_TURNS.buckets())
        .containsExactly(1d, 2d, 5d, 10d, 20d, 50d, 100d, 200d, 500d);
    assertThat(Metric.ACTIVITY_DURATION.buckets())
        .containsExactly(.01, .05, .1, .5, 1d, 2d, 5d, 10d, 30d, 60d, 120d, 300d);
    assertThat(Metric.SUBORCHESTRATION_DURATION.buckets())
        .containsExactly(.1, .5, 1d, 5d, 10d, 30d, 60d, 300d, 600d);
    assertThat(Metric.PROVIDER_OPERATION_DURATION.buckets())
        .containsExactly(.001, .005, .01, .05, .1, .5, 1d, 2d, 5d);
    assertThat(Metric.CLIENT_WAIT_DURATION.buckets())
        .containsExactly(.1, .5, 1d, 2d, 5d, 10d, 30d, 60d, 120d);
    for (Metric metric : Metric.values()) {
      boolean histogram =
          metric.type() == Metric.Type.TIMER || metric.type() == Metric.Type.SUMMARY;
      assertThat(metric.buckets().isEmpty()).as(metric.name()).isNotEqualTo(histogram);
      assertThat(metric.buckets()).isSorted();
    }
  }

  @Test
  @DisplayName("no label can hold an id")
  void noIds() {
    for (Metric metric : Metric.values()) {
      assertThat(metric.labels()).doesNotContainAnyElementsOf(FORBIDDEN_LABELS);
    }
  }
}
