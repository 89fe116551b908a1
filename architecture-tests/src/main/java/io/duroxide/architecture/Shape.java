package io.duroxide.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What the compiler's parser sees in one file.
 *
 * @param methods every method and constructor, also those of nested types
 * @param records every record declaration
 * @param names every name the code uses: {@code Thread.sleep}, {@code new Random}, {@code
 *     synchronized}
 */
record Shape(List<Method> methods, List<RecordType> records, List<Name> names) {

  record Method(String name, int parameters, boolean canonical, int firstLine, int lastLine) {}

  record RecordType(String name, int components, int line) {}

  record Name(String text, int line) {
    boolean is(String wanted) {
      return text.equals(wanted) || text.endsWith("." + wanted);
    }
  }

  static Shape of(Path path, String text) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var options = List.of("-proc:none");
    var file = List.of(new Text(path, text));
    var task = (JavacTask) compiler.getTask(null, null, null, options, null, file);
    try {
      var unit = task.parse().iterator().next();
      var reader = new Reader(unit, Trees.instance(task).getSourcePositions());
      reader.scan(unit, null);
      return new Shape(reader.methods, reader.records, reader.names);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(Path path, String text) {
      super(URI.create("text:///" + path), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Reader extends TreeScanner<@Nullable Void, @Nullable ClassTree> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Method> methods = new ArrayList<>();
    private final List<RecordType> records = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();

    Reader(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable ClassTree outer) {
      if (type.getKind() == Tree.Kind.RECORD) {
        records.add(
            new RecordType(type.getSimpleName().toString(), components(type), firstLine(type)));
      }
      return super.visitClass(type, type);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable ClassTree owner) {
      int parameters = method.getParameters().size();
      methods.add(
          new Method(
              method.getName().toString(),
              parameters,
              method.getReturnType() == null && isRecordOf(owner, parameters),
              firstLine(method),
              lastLine(method)));
      if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
        add("synchronized", method);
      }
      return super.visitMethod(method, owner);
    }

    @Override
    public @Nullable Void visitSynchronized(SynchronizedTree block, @Nullable ClassTree owner) {
      add("synchronized", block);
      return super.visitSynchronized(block, owner);
    }

    @Override
    public @Nullable Void visitMemberSelect(MemberSelectTree select, @Nullable ClassTree owner) {
      add(select.toString(), select);
      return super.visitMemberSelect(select, owner);
    }

    @Override
    public @Nullable Void visitMemberReference(
        MemberReferenceTree reference, @Nullable ClassTree owner) {
      var qualifier = reference.getQualifierExpression().toString();
      if (reference.getMode() == MemberReferenceTree.ReferenceMode.NEW) {
        add("new " + qualifier, reference);
      } else {
        add(qualifier + "." + reference.getName(), reference);
      }
      return super.visitMemberReference(reference, owner);
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree creation, @Nullable ClassTree owner) {
      add("new " + simpleName(creation.getIdentifier()), creation);
      return super.visitNewClass(creation, owner);
    }

    @Override
    public @Nullable Void visitIdentifier(IdentifierTree identifier, @Nullable ClassTree owner) {
      add(identifier.getName().toString(), identifier);
      return super.visitIdentifier(identifier, owner);
    }

    private static String simpleName(Tree type) {
      return type instanceof MemberSelectTree select
          ? select.getIdentifier().toString()
          : type.toString();
    }

    private static boolean isRecordOf(@Nullable ClassTree owner, int components) {
      return owner != null
          && owner.getKind() == Tree.Kind.RECORD
          && components(owner) == components;
    }

    /** A record has no instance fields but its components. */
    private static int components(ClassTree type) {
      return (int)
          type.getMembers().stream()
              .filter(member -> member instanceof VariableTree)
              .map(member -> (VariableTree) member)
              .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
              .count();
    }

    private void add(String name, Tree tree) {
      names.add(new Name(name, firstLine(tree)));
    }

    private int firstLine(Tree tree) {
      return line(positions.getStartPosition(unit, tree));
    }

    private int lastLine(Tree tree) {
      return line(positions.getEndPosition(unit, tree));
    }

    private int line(long position) {
      return (int) unit.getLineMap().getLineNumber(position);
    }
  }
}
