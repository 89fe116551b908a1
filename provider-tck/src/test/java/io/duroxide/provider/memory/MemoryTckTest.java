package io.duroxide.provider.memory;

import io.duroxide.provider.tck.AbandonTck;
import io.duroxide.provider.tck.AtomicityTck;
import io.duroxide.provider.tck.AttemptsTck;
import io.duroxide.provider.tck.BatchBoundTck;
import io.duroxide.provider.tck.CancellationTck;
import io.duroxide.provider.tck.ChainTck;
import io.duroxide.provider.tck.CheckedSendTck;
import io.duroxide.provider.tck.ClockStepTck;
import io.duroxide.provider.tck.CommitFaultTck;
import io.duroxide.provider.tck.DamageTck;
import io.duroxide.provider.tck.DeliveryOrderTck;
import io.duroxide.provider.tck.ErrorHandlingTck;
import io.duroxide.provider.tck.ExecutionsTck;
import io.duroxide.provider.tck.InstanceCreationTck;
import io.duroxide.provider.tck.LockContentionTck;
import io.duroxide.provider.tck.LockExpiryTck;
import io.duroxide.provider.tck.LockingTck;
import io.duroxide.provider.tck.OrphanTck;
import io.duroxide.provider.tck.OutageTck;
import io.duroxide.provider.tck.PayloadTck;
import io.duroxide.provider.tck.PollingTck;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.QueueTck;
import io.duroxide.provider.tck.RestartTck;
import io.duroxide.provider.tck.StepTck;
import io.duroxide.provider.tck.TimerTck;
import io.duroxide.provider.tck.WakeUpTck;
import io.duroxide.provider.tck.WindowTck;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("The in-memory provider keeps the contract")
class MemoryTckTest {
  @Nested
  class Abandon extends AbandonTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Atomicity extends AtomicityTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Attempts extends AttemptsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Cancellation extends CancellationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class CommitFault extends CommitFaultTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Damage extends DamageTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class ErrorHandling extends ErrorHandlingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Executions extends ExecutionsTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class InstanceCreation extends InstanceCreationTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class LockContention extends LockContentionTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class LockExpiry extends LockExpiryTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Locking extends LockingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Orphan extends OrphanTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Outage extends OutageTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Payload extends PayloadTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Polling extends PollingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Queue extends QueueTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Timer extends TimerTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class DeliveryOrder extends DeliveryOrderTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class ClockStep extends ClockStepTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class CheckedSend extends CheckedSendTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Restart extends RestartTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class BatchBounds extends BatchBoundTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Windows extends WindowTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Step extends StepTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class Chain extends ChainTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }

  @Nested
  class WakeUp extends WakeUpTck {
    @Override
    protected ProviderFixture newFixture() {
      return new MemoryFixture();
    }
  }
}
