const NAMES = [
  'r?disk\\d+(?:s\\d+)*',
  '(?:sd|hd|vd|xvd)[a-z]+\\d*',
  'nvme\\d+(?:n\\d+(?:p\\d+)?)?',
  'mmcblk\\d+(?:p\\d+|boot\\d+)?',
  'md(?:\\d+(?:p\\d+)?|/.+)',
  'dm-\\d+',
  'mapper/.+',
  'loop\\d+(?:p\\d+)?',
  'nbd\\d+(?:p\\d+)?',
  'zd\\d+',
  'disk/by-[a-z]+/.+',
];

const BLOCK_DEVICE = new RegExp(`^/dev/(?:${NAMES.join('|')})$`, 'u');

/** Whether a path is a disk, a partition or a volume: writing there destroys a file system. */
export function isBlockDevice(path: string): boolean {
  return BLOCK_DEVICE.test(path.normalize('NFKC').replace(/\/+/gu, '/'));
}
