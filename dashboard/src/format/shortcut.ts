const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A keyboard shortcut with ⌘ or Ctrl, as on the operator's keyboard. */
export function shortcut(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}
