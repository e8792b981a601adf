/** What is read of a keyboard event. */
export type KeyPress = Readonly<
  Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'>
> & { getModifierState(name: 'AltGraph'): boolean };

const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn|Dead|Process|Unidentified)$/;

/**
 * The pressed key as shortcuts name it: `j`, `shift+x`, `?`, `Enter`, `shift+ArrowDown`. It is what the key types on the
 * operator's keyboard, not where it is. Undefined for keys that belong to the browser or to typing.
 */
export function pressedKey(press: KeyPress): string | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing } = press;
  // Some keyboards need AltGr for a character, which some systems report as Ctrl and Alt.
  const isHeld = metaKey || ((altKey || ctrlKey) && !press.getModifierState('AltGraph'));
  if (isHeld || isComposing || modifiers.test(key)) return undefined;
  const name = letterOf(press) ?? key;
  const isCharacter = name.length === 1 && !/[a-z]/.test(name);
  // Whether Shift is needed for a character such as `/` depends on the keyboard.
  return shiftKey && !isCharacter ? `shift+${name}` : name;
}

/** A Latin letter in lower case. On keyboards with other letters, it is the one at the same place (`code`). */
function letterOf({ key, code }: KeyPress): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  return place && /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key) ? place.toLowerCase() : undefined;
}

/** The longest pause within a sequence of keys such as `g m`. */
const maxPauseMilliseconds = 1_500;

/** The beginning of a sequence of keys. */
export interface BegunKeys {
  readonly keys: string;
  readonly at: number;
}

/**
 * The keys that are pressed once `key` follows what was begun before: those of a known shortcut, or the beginning of
 * one. Undefined if there is none.
 */
export function followedBy(
  begun: BegunKeys | undefined,
  key: string,
  now: number,
  known: Iterable<string>,
): { readonly pressed: string } | { readonly begun: BegunKeys } | undefined {
  const isContinued = begun !== undefined && now - begun.at <= maxPauseMilliseconds;
  const keys = isContinued ? `${begun.keys} ${key}` : key;
  const all = [...known];
  if (all.includes(keys)) return { pressed: keys };
  return all.some((each) => each.startsWith(`${keys} `)) ? { begun: { keys, at: now } } : undefined;
}
