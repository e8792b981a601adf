/**
 * An invalid setting. The message contains its name and what is expected, and its value only if that cannot contain a
 * password.
 */
export class SettingError extends Error {
  constructor(problem: string, advice: string) {
    super(`${problem}. ${advice}.`);
    this.name = 'SettingError';
  }
}
