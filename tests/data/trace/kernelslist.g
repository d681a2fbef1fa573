MemcpyHtoD,0x00007f0000000000,8192
MemcpyHtoD,0x00007f0000010ffc,100
MemcpyDtoH,0x00007f0000000000,8192
kernel-1.traceg
kernel-2.traceg
kernel-3.traceg
