/**
 * What Kubernetes sets in every container for a service of this name in its namespace ("service links"): the host and
 * the ports of the service, and for each port an address such as `tcp://10.0.0.1:80` with its parts.
 */
const forms: readonly { readonly name: RegExp; readonly value: RegExp }[] = [
  { name: /_SERVICE_HOST$/, value: /^[\da-f:.]+$/i },
  { name: /_SERVICE_PORT(_[A-Z\d_]+)?$/, value: /^\d{1,5}$/ },
  { name: /_PORT(_\d{1,5}_(TCP|UDP|SCTP))?$/, value: /^(tcp|udp|sctp):\/\// },
  { name: /_PORT_\d{1,5}_(TCP|UDP|SCTP)_PROTO$/, value: /^(tcp|udp|sctp)$/ },
  { name: /_PORT_\d{1,5}_(TCP|UDP|SCTP)_PORT$/, value: /^\d{1,5}$/ },
  { name: /_PORT_\d{1,5}_(TCP|UDP|SCTP)_ADDR$/, value: /^[\da-f:.]+$/i },
];

/**
 * The names of the variables of services that begin like settings, such as those of a service named `gatehouse` or
 * `gatehouse-db`. A variable of the same name with any other value, such as `GATEHOUSE_PORT=9000`, is a setting.
 */
export function findServiceLinks(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment)
    .filter(([name, value = '']) => name.startsWith('GATEHOUSE_') && isServiceLink(name, value))
    .map(([name]) => name);
}

function isServiceLink(name: string, value: string): boolean {
  return forms.some((form) => form.name.test(name) && form.value.test(value));
}
