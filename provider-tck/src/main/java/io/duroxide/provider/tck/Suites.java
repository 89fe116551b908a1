package io.duroxide.provider.tck;

import java.util.List;
import java.util.stream.Stream;

/** Every category, ready to run with the fixture that {@link NamedFixture} names. */
final class Suites {
  private Suites() {}

  /** In the order of the catalog. */
  static List<Class<? extends ProviderTck>> all() {
    return Stream.of(operations(), lives(), loads()).flatMap(List::stream).toList();
  }

  private static List<Class<? extends ProviderTck>> operations() {
    return List.of(
        Atomicity.class,
        CommitFault.class,
        Damage.class,
        ErrorHandling.class,
        Outage.class,
        LockContention.class,
        Locking.class,
        Abandon.class,
        LockExpiry.class,
        Executions.class,
        Orphan.class,
        Payload.class,
        Queue.class,
        Timer.class,
        DeliveryOrder.class,
        BatchBounds.class,
        ClockSuite.class,
        MailSuites.CheckedSend.class,
        Windows.class,
        InstanceCreation.class,
        MailSuites.Restart.class,
        InstanceStats.class,
        Backlog.class,
        Listing.class,
        Management.class,
        QueueDepth.class,
        Polling.class,
        Step.class,
        Chain.class,
        WakeUp.class);
  }

  private static List<Class<? extends ProviderTck>> lives() {
    return List.of(
        Attempts.class,
        Cancellation.class,
        Deletion.class,
        DeletionTree.class,
        OrphanedChildren.class,
        BulkDeletion.class,
        Prune.class,
        PruneOnCommit.class,
        Capability.class,
        Pin.class,
        Decode.class,
        SessionLease.class,
        SessionRouting.class,
        Tag.class,
        KeyValue.class,
        KeyValueLifetime.class,
        KeptExecution.class,
        CustomStatus.class,
        Transfer.class);
  }

  private static List<Class<? extends ProviderTck>> loads() {
    return List.of(
        Cluster.class,
        ClusterLoad.class,
        ContinuationRace.class,
        RuntimeRace.class,
        RandomMix.class,
        Load.class,
        StoreLoad.class,
        Instrumentation.class);
  }

  static final class Atomicity extends AtomicityTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class CommitFault extends CommitFaultTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Damage extends DamageTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class ErrorHandling extends ErrorHandlingTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Outage extends OutageTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class LockContention extends LockContentionTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Locking extends LockingTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Abandon extends AbandonTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class LockExpiry extends LockExpiryTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Executions extends ExecutionsTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Orphan extends OrphanTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Payload extends PayloadTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Queue extends QueueTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Timer extends TimerTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class DeliveryOrder extends DeliveryOrderTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class BatchBounds extends BatchBoundTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Windows extends WindowTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class InstanceCreation extends InstanceCreationTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class InstanceStats extends InstanceStatsTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Backlog extends BacklogTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Listing extends ListingTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Management extends ManagementTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class QueueDepth extends QueueDepthTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Polling extends PollingTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Transfer extends TransferTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Step extends StepTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Chain extends ChainTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class WakeUp extends WakeUpTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Attempts extends AttemptsTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Cancellation extends CancellationTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Deletion extends DeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class DeletionTree extends DeletionTreeTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class OrphanedChildren extends OrphanedChildrenTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class BulkDeletion extends BulkDeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Prune extends PruneTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class PruneOnCommit extends PruneOnCommitTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Capability extends CapabilityTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Pin extends PinTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Decode extends DecodeTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class SessionLease extends SessionLeaseTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class SessionRouting extends SessionRoutingTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Tag extends TagTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class KeyValue extends KeyValueTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class KeyValueLifetime extends KeyValueLifetimeTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class KeptExecution extends KeptExecutionTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class CustomStatus extends CustomStatusTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class ContinuationRace extends ContinuationRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class RuntimeRace extends RuntimeRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class RandomMix extends RandomMixTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Load extends LoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class StoreLoad extends StoreLoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Instrumentation extends InstrumentationTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Cluster extends ClusterTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class ClusterLoad extends ClusterLoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }
}
