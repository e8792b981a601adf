import { useSyncExternalStore } from 'react';
import { Listeners } from '../../session/listeners.ts';

const storageName = 'gatehouse-shortcuts';
const listeners = new Listeners();

/**
 * Whether shortcuts of single keys work. Because speech input presses keys too, they can be turned off in this browser
 * (WCAG 2.2, 2.1.4).
 */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(storageName) !== 'off';
}

export function turnShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, 'off');
  listeners.notify();
}

/** Like `areShortcutsOn`, for what is shown. */
export function useShortcutsOn(): boolean {
  return useSyncExternalStore(listeners.subscribe, areShortcutsOn);
}
