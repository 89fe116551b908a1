package io.duroxide.provider.tck;

/** Categories about messages at the end of instances, as those of {@link Suites}. */
final class MailSuites {
  private MailSuites() {}

  static final class CheckedSend extends CheckedSendTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }

  static final class Restart extends RestartTck {
    @Override
    protected ProviderFixture newFixture() {
      return NamedFixture.create();
    }
  }
}
