/** What programs need and servers read in different ways: Moodle, Nextcloud, MediaWiki, RabbitMQ, GitLab and others. */
export const pathsOfPrograms: readonly string[] = [
  '/pluginfile.php/12/mod_resource/content/1/a.pdf',
  '/pluginfile.php/12/mod_resource/content/1/%E8%B3%87%E6%96%99.pdf?forcedownload=1',
  '/index.php/apps/files',
  '/index.php/Main_Page',
  '/remote.php/dav/files/mira/a%23b.txt',
  '/remote.php/dav/',
  '/api/queues/%2F/jobs',
  '/api/v4/projects/group%2Fproject',
  '/wiki/C%23',
  '/wiki/Who%3F',
  '/web/https://example.org/x;y=z',
  '/files/a%252Fb',
];
