/** The time zone of the browser, as a name of the IANA database. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
