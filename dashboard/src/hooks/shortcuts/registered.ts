import type { TextAreas } from '../../languages/areas.ts';
import { type BegunKeys, followedBy, pressedKey } from './pressed-key.ts';
import { areShortcutsOn } from './shortcut-setting.ts';

/** Where a shortcut belongs: it is listed there, and the first of these that has the keys runs. */
export const shortcutSections = ['list', 'page', 'go', 'app'] as const;
export type ShortcutSection = (typeof shortcutSections)[number];

export interface Shortcut {
  /** `j`, `shift+x`, `g m`, `/`, `Enter` or several with the same effect. */
  readonly keys: string | readonly string[];
  /** A text of the area `shortcuts`, or `shell` for a page. */
  readonly name: keyof TextAreas['shortcuts'] | keyof TextAreas['shell'];
  readonly run: () => void;
  /** Whether it has no effect now. */
  readonly isOff?: boolean | undefined;
}

interface Registration {
  readonly section: ShortcutSection;
  readonly shortcuts: () => readonly Shortcut[];
}

/** Where keys have another meaning. */
const fields = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]';
/** Where Enter has another meaning. */
const controls = 'a[href], button, input, summary';
/** Shortcuts that are repeated while the key is held. */
const moves = /^(?:shift\+)?(?:j|k|Arrow\w+)$/;

let registrations: readonly Registration[] = [];
let begun: BegunKeys | undefined;

/** Returns the function that removes it. */
export function registerShortcuts(registration: Registration): () => void {
  if (registrations.length === 0) window.addEventListener('keydown', onKeyDown);
  registrations = [registration, ...registrations];
  return () => {
    registrations = registrations.filter((each) => each !== registration);
    if (registrations.length === 0) window.removeEventListener('keydown', onKeyDown);
  };
}

/** The shortcuts of a section that have an effect now, the newest first. */
export function shortcutsOf(section: ShortcutSection): Shortcut[] {
  return registrations
    .filter((each) => each.section === section)
    .flatMap(({ shortcuts }) => shortcuts())
    .filter(({ isOff }) => !isOff);
}

/** All keys of a shortcut. */
export function keysOf({ keys }: Pick<Shortcut, 'keys'>): readonly string[] {
  return typeof keys === 'string' ? [keys] : keys;
}

function onKeyDown(event: KeyboardEvent): void {
  const key = pressedKey(event);
  if (key === undefined || event.defaultPrevented || !areShortcutsOn()) return;
  const available = availableAt(event.target);
  const next = followedBy(begun, key, event.timeStamp, available.flatMap(keysOf));
  begun = next && 'begun' in next ? next.begun : undefined;
  const hasOwnMeaning = key === 'Enter' && event.target instanceof Element && event.target.closest(controls);
  if (!next || hasOwnMeaning || (event.repeat && !moves.test(key))) return;
  event.preventDefault();
  if ('pressed' in next) available.find((each) => keysOf(each).includes(next.pressed))?.run();
}

/** The shortcuts that work while an element has the focus: none while a dialog is open. */
function availableAt(target: EventTarget | null): Shortcut[] {
  const element = target instanceof Element ? target : document.body;
  if (element.closest(fields)) return [];
  if (element.closest('[role=dialog]') || document.querySelector('[aria-modal=true]')) return [];
  return shortcutSections.flatMap(shortcutsOf);
}
