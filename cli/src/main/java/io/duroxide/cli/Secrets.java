package io.duroxide.cli;

import java.util.regex.Pattern;

/** Hides passwords of store addresses wherever text may quote one. */
final class Secrets {
  private static final Pattern USER_INFO = Pattern.compile("://([^/@\\s:]*):\\S*@");
  private static final Pattern PARAMETER =
      Pattern.compile("(?i)\\b(\\w*password|\\w*secret|\\w*token)=[^&\\s;]*");

  private Secrets() {}

  static String hidden(String text) {
    String withoutUserInfo = USER_INFO.matcher(text).replaceAll("://$1:***@");
    return PARAMETER.matcher(withoutUserInfo).replaceAll("$1=***");
  }
}
