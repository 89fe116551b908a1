package io.duroxide.provider.memory;

import io.duroxide.provider.tck.BacklogTck;
import io.duroxide.provider.tck.BulkDeletionTck;
import io.duroxide.provider.tck.CapabilityTck;
import io.duroxide.provider.tck.ClusterLoadTck;
import io.duroxide.provider.tck.ClusterTck;
import io.duroxide.provider.tck.ContinuationRaceTck;
import io.duroxide.provider.tck.CustomStatusTck;
import io.duroxide.provider.tck.DecodeTck;
import io.duroxide.provider.tck.DeletionTck;
import io.duroxide.provider.tck.DeletionTreeTck;
import io.duroxide.provider.tck.InstanceStatsTck;
import io.duroxide.provider.tck.InstrumentationTck;
import io.duroxide.provider.tck.KeptExecutionTck;
import io.duroxide.provider.tck.KeyValueLifetimeTck;
import io.duroxide.provider.tck.KeyValueTck;
import io.duroxide.provider.tck.ListingTck;
import io.duroxide.provider.tck.LoadTck;
import io.duroxide.provider.tck.ManagementTck;
import io.duroxide.provider.tck.OrphanedChildrenTck;
import io.duroxide.provider.tck.PinTck;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.PruneOnCommitTck;
import io.duroxide.provider.tck.PruneTck;
import io.duroxide.provider.tck.QueueDepthTck;
import io.duroxide.provider.tck.RandomMixTck;
import io.duroxide.provider.tck.RuntimeRaceTck;
import io.duroxide.provider.tck.SessionLeaseTck;
import io.duroxide.provider.tck.SessionRoutingTck;
import io.duroxide.provider.tck.StoreLoadTck;
import io.duroxide.provider.tck.TagTck;
import io.duroxide.provider.tck.TransferTck;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("The in-memory provider keeps the contract: features and management")
class MemoryFeatureTckTest {
  @Nested
  class Cluster extends ClusterTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class ClusterLoad extends ClusterLoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class BulkDeletion extends BulkDeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Capability extends CapabilityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Pin extends PinTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class CustomStatus extends CustomStatusTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Decode extends DecodeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Deletion extends DeletionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class DeletionTree extends DeletionTreeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class InstanceStats extends InstanceStatsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Instrumentation extends InstrumentationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class KeyValue extends KeyValueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class KeyValueLifetime extends KeyValueLifetimeTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class KeptExecution extends KeptExecutionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Backlog extends BacklogTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Listing extends ListingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Management extends ManagementTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class OrphanedChildren extends OrphanedChildrenTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Prune extends PruneTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class PruneOnCommit extends PruneOnCommitTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class QueueDepth extends QueueDepthTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class SessionLease extends SessionLeaseTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class SessionRouting extends SessionRoutingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Tag extends TagTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class ContinuationRace extends ContinuationRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class RuntimeRace extends RuntimeRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class RandomMix extends RandomMixTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Load extends LoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class StoreLoad extends StoreLoadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Transfer extends TransferTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }
}
