package io.duroxide.codec;

import io.duroxide.model.NodeOffer;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The stored form of what nodes offer. Thread-safe. */
public final class NodeOfferCodec {
  private NodeOfferCodec() {}

  public static String encode(NodeOffer offer) {
    FieldWriter out =
        new FieldWriter()
            .texts("activities", offer.activities())
            .pairs("orchestrations", offer.versions())
            .pairs("replays", offer.replays().stream().map(NodeOfferCodec::bounds).toList())
            .flag("untagged", offer.untagged());
    Set<String> tags = offer.tags();
    return (tags == null ? out : out.texts("tags", tags)).finish();
  }

  private static Map.Entry<String, String> bounds(SemverRange range) {
    return Map.entry(range.min().toString(), range.max().toString());
  }

  /** Throws {@link DecodeException} for anything that {@link #encode} does not write. */
  public static NodeOffer decode(String json) {
    FieldReader in = FieldParser.parse("node", json);
    Map<String, Set<String>> orchestrations = new TreeMap<>();
    in.pairs("orchestrations")
        .forEach(pair ->
            orchestrations
                .computeIfAbsent(pair.getKey(), name -> new TreeSet<>())
                .add(pair.getValue()));
    List<SemverRange> replays = new ArrayList<>();
    in.pairs("replays").forEach(pair -> replays.add(range(in, pair)));
    return NodeOffer.of(
        replays,
        orchestrations,
        Set.copyOf(in.texts("activities")),
        in.flag("untagged"),
        in.has("tags") ? Set.copyOf(in.texts("tags")) : null);
  }

  private static SemverRange range(FieldReader in, Map.Entry<String, String> bounds) {
    try {
      return new SemverRange(Semver.parse(bounds.getKey()), Semver.parse(bounds.getValue()));
    } catch (IllegalArgumentException e) {
      throw in.problem(String.valueOf(e.getMessage()));
    }
  }
}
