const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key together with ⌘ or Ctrl, as the keyboard in front of the operator has it. */
export function shortcut(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}
