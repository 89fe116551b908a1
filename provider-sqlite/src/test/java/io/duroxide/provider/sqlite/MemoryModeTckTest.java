package io.duroxide.provider.sqlite;

import io.duroxide.provider.tck.AbandonTck;
import io.duroxide.provider.tck.AtomicityTck;
import io.duroxide.provider.tck.CapabilityTck;
import io.duroxide.provider.tck.ContinuationRaceTck;
import io.duroxide.provider.tck.KeyValueTck;
import io.duroxide.provider.tck.LockingTck;
import io.duroxide.provider.tck.ManagementTck;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.QueueTck;
import io.duroxide.provider.tck.RandomMixTck;
import io.duroxide.provider.tck.RuntimeRaceTck;
import io.duroxide.provider.tck.SessionRoutingTck;
import io.duroxide.provider.tck.TransferTck;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("The provider without a file keeps the contract")
class MemoryModeTckTest {
  @Nested
  class Abandon extends AbandonTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Atomicity extends AtomicityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Capability extends CapabilityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class KeyValue extends KeyValueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Locking extends LockingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Management extends ManagementTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Queue extends QueueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class SessionRouting extends SessionRoutingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class ContinuationRace extends ContinuationRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class RuntimeRace extends RuntimeRaceTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class RandomMix extends RandomMixTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }

  @Nested
  class Transfer extends TransferTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryModeFixture();
    }
  }
}
