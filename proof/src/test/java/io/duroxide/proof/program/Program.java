package io.duroxide.proof.program;

import io.duroxide.api.DataConverter;
import io.duroxide.api.TypeRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An orchestration as data: what each of its executions does, one part for each, and the mailbox
 * messages that clients send to it. Its JSON is the input of the orchestration {@link
 * ProgramCode#PROGRAM}, so any node can run it.
 *
 * @param name tells programs of a run apart
 * @param version the version to start with; null for the newest
 * @param part which part the execution runs that gets this as its input
 * @param carried what the executions before noted
 * @param parts what the executions do; each but the last continues as new
 * @param mail what clients put into its mailboxes
 */
public record Program(
    String name,
    @Nullable String version,
    int part,
    String carried,
    List<Part> parts,
    List<Mail> mail) {
  private static final TypeRef<Program> TYPE = TypeRef.of(Program.class);

  public Program {
    parts = List.copyOf(parts);
    mail = List.copyOf(mail);
  }

  /** What one execution does. */
  public record Part(List<Op> body, End end) {
    public Part {
      body = List.copyOf(body);
    }
  }

  /**
   * A message for a mailbox.
   *
   * @param sender messages of one sender are sent one after the other, those of different senders
   *     at any time; those of sender 0, all for one mailbox, together with the start
   */
  public record Mail(int sender, String queue, String text) {
    boolean withStart() {
      return sender == 0;
    }
  }

  /** The program as its first execution gets it. */
  public static Program of(String name, List<Part> parts, List<Mail> mail) {
    return new Program(name, null, 0, "", parts, mail);
  }

  public static Program fromJson(String json) {
    return DataConverter.json().decode(json, TYPE);
  }

  /** The same text for the same program. */
  public String toJson() {
    return DataConverter.json().encode(this);
  }

  /** What the next execution gets. */
  Program next(String notes) {
    return new Program(name, version, part + 1, notes, parts, mail);
  }

  Part current() {
    return parts.get(part);
  }

  Program withVersion(@Nullable String newVersion) {
    return new Program(name, newVersion, part, carried, parts, mail);
  }

  Program withParts(List<Part> newParts) {
    return new Program(name, version, part, carried, newParts, mail);
  }

  /** How many operations it has, those of its children included. */
  public int size() {
    return (int) ProgramWalk.operations(this).stream().filter(Op.class::isInstance).count();
  }
}
