package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.tck.AbandonTck;
import io.duroxide.provider.tck.AtomicityTck;
import io.duroxide.provider.tck.AttemptsTck;
import io.duroxide.provider.tck.BacklogTck;
import io.duroxide.provider.tck.BatchBoundTck;
import io.duroxide.provider.tck.BulkDeletionTck;
import io.duroxide.provider.tck.CancellationTck;
import io.duroxide.provider.tck.CapabilityTck;
import io.duroxide.provider.tck.ChainTck;
import io.duroxide.provider.tck.CheckedSendTck;
import io.duroxide.provider.tck.ClockStepTck;
import io.duroxide.provider.tck.CommitFaultTck;
import io.duroxide.provider.tck.ContinuationRaceTck;
import io.duroxide.provider.tck.CustomStatusTck;
import io.duroxide.provider.tck.DamageTck;
import io.duroxide.provider.tck.DecodeTck;
import io.duroxide.provider.tck.DeletionTck;
import io.duroxide.provider.tck.DeletionTreeTck;
import io.duroxide.provider.tck.DeliveryOrderTck;
import io.duroxide.provider.tck.ErrorHandlingTck;
import io.duroxide.provider.tck.ExecutionsTck;
import io.duroxide.provider.tck.InstanceCreationTck;
import io.duroxide.provider.tck.InstanceStatsTck;
import io.duroxide.provider.tck.InstrumentationTck;
import io.duroxide.provider.tck.KeptExecutionTck;
import io.duroxide.provider.tck.KeyValueLifetimeTck;
import io.duroxide.provider.tck.KeyValueTck;
import io.duroxide.provider.tck.ListingTck;
import io.duroxide.provider.tck.LoadTck;
import io.duroxide.provider.tck.LockContentionTck;
import io.duroxide.provider.tck.LockExpiryTck;
import io.duroxide.provider.tck.LockingTck;
import io.duroxide.provider.tck.ManagementTck;
import io.duroxide.provider.tck.OrphanTck;
import io.duroxide.provider.tck.OrphanedChildrenTck;
import io.duroxide.provider.tck.OutageTck;
import io.duroxide.provider.tck.PayloadTck;
import io.duroxide.provider.tck.PinTck;
import io.duroxide.provider.tck.PollingTck;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.PruneOnCommitTck;
import io.duroxide.provider.tck.PruneTck;
import io.duroxide.provider.tck.QueueDepthTck;
import io.duroxide.provider.tck.QueueTck;
import io.duroxide.provider.tck.RandomMixTck;
import io.duroxide.provider.tck.RestartTck;
import io.duroxide.provider.tck.RuntimeRaceTck;
import io.duroxide.provider.tck.SessionLeaseTck;
import io.duroxide.provider.tck.SessionRoutingTck;
import io.duroxide.provider.tck.StepTck;
import io.duroxide.provider.tck.StoreLoadTck;
import io.duroxide.provider.tck.TagTck;
import io.duroxide.provider.tck.TckMain;
import io.duroxide.provider.tck.TimerTck;
import io.duroxide.provider.tck.TransferTck;
import io.duroxide.provider.tck.WakeUpTck;
import io.duroxide.provider.tck.WindowTck;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The provider on a file keeps the contract")
class FileTckTest {
  @Test
  @DisplayName("E2E-869 every category of the kit runs here, apart from those about clusters")
  void complete() {
    assertThat(Arrays.stream(FileTckTest.class.getDeclaredClasses()).map(Class::getSuperclass))
        .map(Class::getName)
        .containsExactlyInAnyOrderElementsOf(
            TckMain.categories().stream()
                .filter(category -> !category.getSimpleName().startsWith("Cluster"))
                .map(Class::getName)
                .toList());
  }

  @Nested
  class Abandon extends AbandonTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Atomicity extends AtomicityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Attempts extends AttemptsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class BulkDeletion extends BulkDeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Cancellation extends CancellationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Capability extends CapabilityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Pin extends PinTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class CommitFault extends CommitFaultTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class CustomStatus extends CustomStatusTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Damage extends DamageTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Decode extends DecodeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Deletion extends DeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class DeletionTree extends DeletionTreeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class ErrorHandling extends ErrorHandlingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Executions extends ExecutionsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class InstanceCreation extends InstanceCreationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class InstanceStats extends InstanceStatsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class KeyValueLifetime extends KeyValueLifetimeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class KeptExecution extends KeptExecutionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class KeyValue extends KeyValueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class LockContention extends LockContentionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class LockExpiry extends LockExpiryTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Locking extends LockingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Backlog extends BacklogTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Listing extends ListingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Management extends ManagementTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Orphan extends OrphanTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Outage extends OutageTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Payload extends PayloadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Polling extends PollingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class OrphanedChildren extends OrphanedChildrenTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Prune extends PruneTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class PruneOnCommit extends PruneOnCommitTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class QueueDepth extends QueueDepthTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Queue extends QueueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class SessionLease extends SessionLeaseTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class SessionRouting extends SessionRoutingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Tag extends TagTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Timer extends TimerTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class DeliveryOrder extends DeliveryOrderTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class ClockStep extends ClockStepTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class CheckedSend extends CheckedSendTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Restart extends RestartTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class BatchBounds extends BatchBoundTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Windows extends WindowTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Step extends StepTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Chain extends ChainTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class WakeUp extends WakeUpTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Instrumentation extends InstrumentationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class ContinuationRace extends ContinuationRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class RuntimeRace extends RuntimeRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class RandomMix extends RandomMixTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Load extends LoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class StoreLoad extends StoreLoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }

  @Nested
  class Transfer extends TransferTck {
    @Override
    protected ProviderFixture newFixture() {
      return new FileFixture();
    }
  }
}
