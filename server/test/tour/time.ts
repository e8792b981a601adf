import { vi } from 'vitest';

/** What the pictures show as now. */
export const shownAt = new Date('2026-05-20T13:40:00.000Z');
export const timeZone = 'Europe/Zurich';
/** How many days before that the story begins. */
export const storyDays = 95;
export const firstDay = timeBefore(storyDays);

/** Sets the time of the service: it stands still until it is set again. */
export function setTime(daysBefore: number, hoursBefore = 0): void {
  vi.setSystemTime(timeBefore(daysBefore, hoursBefore));
}

function timeBefore(days: number, hours = 0): Date {
  return new Date(shownAt.getTime() - days * 86_400_000 - hours * 3_600_000);
}

/** Lets the service have the time of the machine, as its other threads do. */
export function useRealTime(): void {
  vi.useRealTimers();
}

/** The time of the machine, which browsers have. */
export function realNow(): number {
  return vi.getRealSystemTime();
}
