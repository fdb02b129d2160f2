"""What both compiled searches ask of a set of tiles, and the digest of the sources that they were built from."""

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int lowest(unsigned int m) { unsigned long at; _BitScanForward(&at, m); return (int)at; }
    static int width(unsigned int m) { unsigned long at; return _BitScanReverse(&at, m) ? (int)at + 1 : 0; }
    static int size(unsigned int m) { return (int)__popcnt(m); }
    #else
    static inline int lowest(unsigned int m) { return __builtin_ctz(m); }
    static inline int width(unsigned int m) { return m ? 32 - __builtin_clz(m) : 0; }
    static inline int size(unsigned int m) { return __builtin_popcount(m); }
    #endif
    #ifndef SOURCE_DIGEST
    #define SOURCE_DIGEST ""
    #endif
    """
    int lowest(unsigned int m) nogil
    int width(unsigned int m) nogil
    int size(unsigned int m) nogil
    const char *SOURCE_DIGEST
