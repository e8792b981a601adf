const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const caps: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Enter: '↵',
  Escape: 'Esc',
};

/** A keyboard shortcut with ⌘ or Ctrl, as on the operator's keyboard. */
export function shortcut(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

/** What is written on the keys of a shortcut, in the order in which they are pressed: `g m`, `shift+x`, `mod+k`. */
export function keyCaps(keys: string): string[] {
  return keys.split(' ').map((each) => {
    const key = each.replace(/^\w+\+/, '');
    const cap = caps[key] ?? key.toUpperCase();
    if (each.startsWith('mod+')) return shortcut(cap);
    return each.startsWith('shift+') ? `⇧${cap}` : cap;
  });
}
